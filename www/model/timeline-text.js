/** Times and figures of a run in words. */

/** `1 m 5.2 s`. @param {number} milliseconds */
export function clock(milliseconds) {
  const seconds = milliseconds / 1000;
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = Number((seconds % 60).toFixed(seconds < 600 ? 1 : 0));
  return [hours > 0 && `${hours} h`, (hours > 0 || minutes > 0) && `${minutes} m`, `${rest} s`].filter(Boolean).join(' ');
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** `1.2 MB`. @param {number} count */
export function bytes(count) {
  let [value, unit] = [count, 0];
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value >= 100 || unit === 0 ? Math.round(value) : Number(value.toPrecision(3))} ${UNITS[unit]}`;
}
