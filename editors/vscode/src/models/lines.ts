import { ModelProblem } from "./problem.js";

/** No model says this much in one piece; an endpoint that never ends its line must not fill the memory. */
const longest = 4 * 1024 * 1024;

/** Makes lines of bytes that come in any pieces. Lines end with \n, \r\n or \r. */
export class Lines {
  private readonly decoder = new TextDecoder(); // takes away a byte order mark, and keeps halves of characters
  private rest = "";
  private returned = false;

  push(bytes: Uint8Array): string[] {
    return this.split(this.decoder.decode(bytes, { stream: true }));
  }

  /** The last line, where nothing ended it. */
  end(): string[] {
    const lines = this.split(this.decoder.decode());
    if (this.rest !== "") lines.push(this.rest);
    this.rest = "";
    return lines;
  }

  private split(text: string): string[] {
    if (text === "") return [];
    // A \n that follows a \r of the piece before ends no line of its own.
    const piece = this.returned && text.startsWith("\n") ? text.slice(1) : text;
    this.returned = text.endsWith("\r");
    const lines = piece.split(/\r\n|\n|\r/);
    lines[0] = this.rest + (lines[0] ?? "");
    this.rest = lines.pop() ?? "";
    if (this.rest.length > longest || lines.some((line) => line.length > longest))
      throw new ModelProblem("endless", `${longest / 1024 / 1024} MB`);
    return lines;
  }
}

/** An event of a stream of server-sent events. */
export interface ServerEvent {
  /** Its name; empty where it has none. */
  name: string;
  data: string;
}

/** Makes events of lines, by the rules of the HTML standard, section "Server-sent events". */
export class ServerEvents {
  private name = "";
  private data: string[] = [];

  push(line: string): ServerEvent | undefined {
    if (line === "") return this.flush();
    const [, field, value] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === "event") this.name = value ?? "";
    if (field === "data") this.data.push(value ?? "");
    return undefined; // what begins with a colon is a comment
  }

  /** The event that nothing ended. */
  flush(): ServerEvent | undefined {
    const event = this.data.length > 0 ? { name: this.name, data: this.data.join("\n") } : undefined;
    this.name = "";
    this.data = [];
    return event;
  }
}
