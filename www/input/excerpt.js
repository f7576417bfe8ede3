/**
 * The lines around an error, cut to a readable length even if the whole input is one line.
 */
const AROUND = 2;
const WIDTH = 160;

/**
 * @param {string} text
 * @param {number | undefined} line from 1
 * @param {number | undefined} column from 1
 * @returns {{line: number, text: string, marked: boolean}[]}
 */
export function excerptOf(text, line, column = 1) {
  if (!line || line < 1) return [];
  const lines = linesAround(text, Math.max(1, line - AROUND), line + AROUND);
  return lines.map(({ number, content }) => ({
    line: number,
    text: window(content, number === line ? column : 1),
    marked: number === line,
  }));
}

/**
 * The core counts columns in bytes; an editor counts characters.
 * @param {string} text
 * @param {number} line
 * @param {number} column in bytes, from 1
 */
export function characterColumn(text, line, column) {
  const [found] = linesAround(text, line, line);
  const bytes = new TextEncoder().encode(found?.content.slice(0, column) ?? '').subarray(0, column - 1);
  return new TextDecoder().decode(bytes).length + 1;
}

/** @param {string} text @param {number} first @param {number} last */
function linesAround(text, first, last) {
  const found = [];
  let start = 0;
  for (let number = 1; number <= last && start <= text.length; number += 1) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    if (number >= first) found.push({ number, content: text.slice(start, end) });
    start = end + 1;
  }
  return found;
}

/** @param {string} content @param {number} column */
function window(content, column) {
  if (content.length <= WIDTH) return content;
  const start = Math.max(0, Math.min(column - WIDTH / 2, content.length - WIDTH));
  const cut = content.slice(start, start + WIDTH);
  return `${start > 0 ? '…' : ''}${cut}${start + WIDTH < content.length ? '…' : ''}`;
}
