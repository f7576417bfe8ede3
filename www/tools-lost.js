/** What the worker of the tools answers when it was asked about an input that it does not have any more. */
export const LOST = 'lost';
