/**
 * What the server said of virtual documents while the editor was still opening them. VS Code drops such a refresh, since
 * it has nothing to refresh yet, and then shows the text that it had asked for before.
 */
export class Refreshes {
  private readonly early = new Set<string>();

  /** Notes that the server asked for a refresh of a document, which is open or not. */
  asked(uri: string, open: boolean): void {
    if (!open) this.early.add(uri);
  }

  /** Tells whether a document that is open now has missed a refresh; from then on it has not. */
  missed(uri: string): boolean {
    return this.early.delete(uri);
  }
}
