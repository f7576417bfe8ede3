/** The error for an input that is neither JSON nor YAML, with the contents of a `Problem`. */
export class UnreadableInput extends Error {
  /** @param {{code: string, message: string, line?: number, column?: number, text: string}} problem */
  constructor(problem) {
    super(problem.message);
    this.name = 'UnreadableInput';
    this.code = problem.code;
    this.line = problem.line;
    this.column = problem.column;
    this.text = problem.text;
  }
}
