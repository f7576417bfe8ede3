/** The program for testing the bundler build. */
export * from 'slicewise';
