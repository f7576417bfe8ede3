/**
 * Generates an input from a few figures.
 * @import {Recipe} from '../../input/generator.js'
 * @import {Actions, AppState} from '../../types.js'
 */
import { h } from 'preact';
import { useState } from 'preact/hooks';
import { LIMITS, PLAIN } from '../../input/generator.js';
import '../../styles/drawer.css';

/** @type {[keyof typeof LIMITS, string][]} */
const FIGURES = [
  ['zones', 'Zones'],
  ['nodes', 'Nodes in each zone'],
  ['pods', 'Pods'],
  ['skew', 'More pods in the first zone, %'],
  ['ports', 'Ports'],
  ['ready', 'Ready pods, %'],
  ['seed', 'Seed'],
];
/** @type {[Recipe['hints'], string][]} */
const HINTS = [
  ['', 'nothing'],
  ['Auto', 'Auto (annotation)'],
  ['PreferSameZone', 'PreferSameZone'],
  ['PreferSameNode', 'PreferSameNode'],
];

/** @param {{state: AppState, actions: Actions}} props */
export function GenerateTab({ state, actions }) {
  const [recipe, setRecipe] = useState(/** @type {Recipe} */ ({ ...PLAIN, .../** @type {Partial<Recipe>} */ (state.views.generate ?? {}) }));
  const [working, setWorking] = useState(false);
  /** @param {Partial<Recipe>} change */
  const set = (change) => setRecipe({ ...recipe, ...change });
  /** @param {Event} event */
  const submitted = async (event) => {
    event.preventDefault();
    setWorking(true);
    await actions.onGenerate(recipe);
    setWorking(false);
  };
  return h(
    'form',
    { class: 'generate', 'aria-labelledby': 'generate-title', onSubmit: submitted },
    h('h2', { id: 'generate-title' }, 'Generate an input'),
    h('p', { class: 'quiet' }, 'The same figures always give the same text. It replaces the input; undo brings that back.'),
    h('div', { class: 'fields' }, FIGURES.map(([name, label]) => h(Figure, { key: name, name, label, recipe, set }))),
    h(
      'div',
      { class: 'fields' },
      h(
        'label',
        { class: 'field' },
        h('span', null, 'CPU of a node, by zone'),
        h('input', { type: 'text', name: 'cpu', value: recipe.cpu, onInput: (/** @type {Event} */ event) => set({ cpu: valueOf(event) }) }),
      ),
      h(
        'label',
        { class: 'field' },
        h('span', null, 'The Service asks for'),
        h(
          'select',
          {
            name: 'hints',
            value: recipe.hints,
            onChange: (/** @type {Event} */ event) => set({ hints: /** @type {Recipe['hints']} */ (valueOf(event)) }),
          },
          HINTS.map(([value, label]) => h('option', { key: value, value, selected: value === recipe.hints }, label)),
        ),
      ),
      h(
        'label',
        { class: 'field flag' },
        h('input', {
          type: 'checkbox',
          name: 'dualStack',
          checked: recipe.dualStack,
          onChange: (/** @type {Event} */ event) => set({ dualStack: /** @type {HTMLInputElement} */ (event.currentTarget).checked }),
        }),
        h('span', null, 'Dual stack'),
      ),
    ),
    h('button', { type: 'submit', disabled: working, 'aria-busy': working ? 'true' : undefined }, working ? 'Generating …' : 'Generate'),
  );
}

/** @param {{name: keyof typeof LIMITS, label: string, recipe: Recipe, set: (change: Partial<Recipe>) => void}} props */
function Figure({ name, label, recipe, set }) {
  const [min, max] = LIMITS[name];
  return h(
    'label',
    { class: 'field' },
    h('span', null, label),
    h('input', {
      ...{ type: 'number', name, min, max, step: 1, value: recipe[name], required: true },
      onInput: (/** @type {Event} */ event) => {
        const { valueAsNumber } = /** @type {HTMLInputElement} */ (event.currentTarget);
        if (Number.isInteger(valueAsNumber)) set({ [name]: valueAsNumber });
      },
    }),
  );
}

/** @param {Event} event */
function valueOf(event) {
  return /** @type {HTMLInputElement | HTMLSelectElement} */ (event.currentTarget).value;
}
