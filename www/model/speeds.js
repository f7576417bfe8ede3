/** How fast a run can be played, as multiples of its own time. */
export const SPEEDS = [1, 5, 10, 30, 100];
