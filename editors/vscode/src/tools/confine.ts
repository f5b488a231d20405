import * as fs from "node:fs/promises";
import * as path from "node:path";

/**
 * The absolute path of a file that the model names, if it really lies in one of the folders: where links lead counts,
 * also for a file that is not there yet. What is wrong is said for the model.
 */
export async function confine(name: string, folders: readonly string[]): Promise<{ file: string } | { error: string }> {
  if (name.includes("\0")) return { error: "a path has no zero byte" };
  for (const folder of folders) {
    const file = path.resolve(folder, name);
    if (!within(folder, file)) continue;
    const real = await realPath(file);
    const root = await realPath(folder);
    if (!within(root, real)) return { error: `${name} leads out of the workspace, by a link` };
    const inside = path.relative(root, real).split(path.sep);
    if (inside.some((part) => part.toLowerCase() === ".git"))
      return { error: `${name} belongs to git itself; it is not edited` };
    return { file };
  }
  return { error: `${name} is not in the workspace` };
}

function within(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return relative !== "" && relative !== ".." && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

/** The real path of a file; of one that is not there, below the nearest folder that is. */
async function realPath(file: string): Promise<string> {
  try {
    return await fs.realpath(file);
  } catch (error) {
    const parent = path.dirname(file);
    if (parent === file) throw error;
    // A link that leads nowhere would be written through.
    const link = await fs.readlink(file).catch(() => undefined);
    if (link !== undefined) return realPath(path.resolve(parent, link));
    return path.join(await realPath(parent), path.basename(file));
  }
}
