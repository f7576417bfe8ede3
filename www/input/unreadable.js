/** An input that is not JSON and no YAML: carries what a `Problem` needs. */
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
