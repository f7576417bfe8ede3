/** The two functions of fflate that links need, in a part of their own, loaded when a link is packed or unpacked. */
export { deflateSync, inflateSync } from 'fflate';
