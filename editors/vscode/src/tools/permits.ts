/** What the user answers to a question about a call. */
export type Permit = "once" | "session" | "deny";

/** Questions that wait for the user. */
export class Permits {
  private readonly waiting = new Map<string, (answer: Permit) => void>();

  /** Waits for the answer to a question; when nobody waits for the call any more, it is no. */
  ask(id: string, signal: AbortSignal): Promise<Permit> {
    return new Promise((resolve) => {
      const end = (answer: Permit) => {
        this.waiting.delete(id);
        signal.removeEventListener("abort", deny);
        resolve(answer);
      };
      const deny = () => end("deny");
      if (signal.aborted) return resolve("deny");
      signal.addEventListener("abort", deny);
      this.waiting.set(id, end);
    });
  }

  answer(id: string, answer: Permit): void {
    this.waiting.get(id)?.(answer);
  }
}

/** Whether an agent of foreword's own may edit a file; the path is relative to the workspace, with slashes. */
export function mayEdit(agent: string, path: string): boolean {
  if (agent === "explore") return false;
  return agent !== "plan" || /^\.foreword\/plans\/[^/]+\.md$/.test(path);
}
