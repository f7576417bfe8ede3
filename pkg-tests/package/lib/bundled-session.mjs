/** The program for testing the bundler build of `slicewise/session`. */
export * from 'slicewise/session';
