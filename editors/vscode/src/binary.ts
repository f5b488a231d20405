import * as path from "node:path";

/** Where the program may be looked for. Everything comes as a value, so that every platform can be tried out on one. */
export interface Surroundings {
  /** The setting `foreword.server.path`. */
  setting: string;
  /** The folder of the extension that holds the program, if it came along. */
  bundled: string;
  /** The environment of the extension host. */
  env: Record<string, string | undefined>;
  home: string;
  platform: NodeJS.Platform;
  /** Tells whether a file can be run. */
  runnable(file: string): boolean;
}

export type Origin = "setting" | "bundled" | "path";

export type Found =
  | { file: string; origin: Origin }
  /** Nothing there: the setting, if that was what named it, and what was tried. */
  | { file: undefined; setting: string | undefined; tried: string[] };

/**
 * Finds the server's program: by the setting, else in the extension, else on the PATH. A setting that leads nowhere is
 * an error rather than passed over: whoever set it wants that one.
 */
export function findBinary(s: Surroundings): Found {
  const tried: string[] = [];
  const first = (files: string[]) => {
    tried.push(...files);
    return files.find((file) => s.runnable(file));
  };
  const setting = s.setting.trim();
  if (setting !== "") {
    const named = isName(setting) ? onPath(setting, s) : absolute(setting, s);
    const file = first(named);
    return file ? { file, origin: "setting" } : { file: undefined, setting, tried };
  }
  const bundled = first(withEndings(style(s).join(s.bundled, "foreword"), s));
  if (bundled) return { file: bundled, origin: "bundled" };
  const file = first(onPath("foreword", s));
  return file ? { file, origin: "path" } : { file: undefined, setting: undefined, tried };
}

function style(s: Surroundings): path.PlatformPath {
  return s.platform === "win32" ? path.win32 : path.posix;
}

function isName(setting: string): boolean {
  return !/[/\\]/.test(setting) && setting !== "~";
}

/** A path as the user wrote it. One that is relative would depend on the folder that happens to be open. */
function absolute(setting: string, s: Surroundings): string[] {
  const home = /^~[/\\]/.test(setting) ? style(s).join(s.home, setting.slice(2)) : setting;
  return style(s).isAbsolute(home) ? withEndings(home, s) : [];
}

/** The files that a name can mean. Relative entries of the PATH are left out: they lead into the workspace. */
function onPath(name: string, s: Surroundings): string[] {
  const variable = Object.keys(s.env).find((key) => (s.platform === "win32" ? key.toUpperCase() : key) === "PATH");
  return (variable ? (s.env[variable] ?? "") : "")
    .split(style(s).delimiter)
    .filter((folder) => style(s).isAbsolute(folder))
    .flatMap((folder) => withEndings(style(s).join(folder, name), s));
}

function withEndings(file: string, s: Surroundings): string[] {
  // Scripts (.cmd, .bat) need a shell, which would read the arguments in its own way.
  return s.platform === "win32" && !/\.exe$/i.test(file) ? [`${file}.exe`] : [file];
}
