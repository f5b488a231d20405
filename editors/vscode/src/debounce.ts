/** A function that waits until it is no longer called. */
export interface Debounced {
  call(this: void): void;
  dispose(): void;
}

/** Makes work run once, when call was not called for so many milliseconds. */
export function debounce(milliseconds: number, work: () => void): Debounced {
  let timer: NodeJS.Timeout | undefined;
  return {
    call() {
      clearTimeout(timer);
      timer = setTimeout(work, milliseconds);
    },
    dispose() {
      clearTimeout(timer);
    },
  };
}
