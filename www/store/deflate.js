/** The two functions of fflate that links need, in a chunk of their own, loaded when a link is packed or unpacked. */
export { deflateSync, inflateSync } from 'fflate';
