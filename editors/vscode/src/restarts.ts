/** How many times a server is started again within the period: a crash by chance is mended, a crash at each start is not. */
const most = 4;

/** The period, in ms. */
const period = 3 * 60_000;

/** Counts how often the server has been started again of late. */
export class Restarts {
  private times: number[] = [];

  constructor(private readonly now: () => number) {}

  /** Tells whether one more start is worth it, and counts it. */
  another(): boolean {
    const now = this.now();
    this.times = this.times.filter((time) => now - time < period);
    if (this.times.length >= most) return false;
    this.times.push(now);
    return true;
  }
}
