/**
 * Gives every zone of the input a letter and a colour, the same for all Services, so that a picture can be
 * read without its colours. Letters follow the zone names where they end in distinct letters or digits
 * (`europe-west4-a` is A), else the order of the names.
 * @import {Legend, Zone} from '../types.js'
 */

const HUES = 8;

/** @param {{labels?: Record<string, string> | null}} meta of a node @param {Legend} legend */
export function zoneOf({ labels }, legend) {
  return labels?.[legend.labels.zone] ?? '';
}

/**
 * @param {Iterable<string>} names zone names, in any order, with repetitions
 * @returns {Zone[]} sorted by name
 */
export function zonesOf(names) {
  const sorted = [...new Set(names)].filter(Boolean).sort();
  const letters = suffixLetters(sorted) ?? sorted.map((_, index) => ordinalLetter(index));
  return sorted.map((name, index) => ({ name, letter: letters[index] ?? '', hue: index % HUES }));
}

/**
 * @param {Zone[]} zones
 * @param {string} name
 */
export function letterOf(zones, name) {
  return zones.find((zone) => zone.name === name)?.letter ?? '–';
}

/**
 * The class that colours a mark for a zone.
 * @param {Zone[]} zones
 * @param {string} name
 */
export function zoneClass(zones, name) {
  const zone = zones.find((candidate) => candidate.name === name);
  return zone ? `z${zone.hue}` : 'z-none';
}

/**
 * @param {string[]} names
 * @returns {string[] | null} one letter for each name, or null if two names would share one
 */
function suffixLetters(names) {
  const letters = names.map((name) => /[a-z0-9]$/.exec(name)?.[0].toUpperCase() ?? '');
  const distinct = new Set(letters).size === names.length && !letters.includes('');
  return distinct ? letters : null;
}

/** A … Z, then AA, AB, … @param {number} index @returns {string} */
function ordinalLetter(index) {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : ordinalLetter(Math.floor(index / 26) - 1) + last;
}
