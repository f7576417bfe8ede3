/** The program for testing the bundler build of `slicewise/simulation`. */
export * from 'slicewise/simulation';
