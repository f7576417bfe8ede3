/**
 * A link that includes everything, and a frame for embedding it in other pages.
 * @import {Actions, AppState} from '../types.js'
 */
import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { number } from '../model/text.js';
import { LONGEST_LINK } from '../store/link.js';
import { CopyField } from './copy-field.js';
import { Dialog } from './dialog.js';
import '../styles/commands.css';

/** The length at which some programs cut links. */
const LONG = 8000;

/** @param {{state: AppState, actions: Actions}} props */
export function ShareDialog({ state, actions }) {
  const [fragment, setFragment] = useState('');
  const [how, setHow] = useState({ only: false, renamed: false });
  const isOwn = state.example === '';
  useEffect(() => {
    let current = true;
    void actions.link(how).then((link) => current && setFragment(link));
    return () => {
      current = false;
    };
  }, [how, state.source, state.example, state.options, state.tab, state.model, state.views]);
  const page = location.href.replace(/[?#].*$/, '');
  const link = `${page}${fragment}`;
  return h(
    Dialog,
    { title: 'Share', kind: 'share', onClose: () => actions.onDialog('') },
    isOwn && state.model && h(Extent, { service: state.model.key, how, onHow: setHow }),
    fragment === '' && h('p', { class: 'quiet', role: 'status' }, 'Packing …'),
    fragment !== '' &&
      (link.length > LONGEST_LINK
        ? h(TooLong, { size: link.length, actions })
        : [h(LinkPart, { link, isOwn, how }), h(EmbedPart, { page, fragment, state })]),
  );
}

/** @param {{size: number, actions: Actions}} props */
function TooLong({ size, actions }) {
  return h(
    'div',
    { class: 'share-part', role: 'alert' },
    h(
      'p',
      null,
      `This input would need a link of ${number(size)} characters; links longer than ${number(LONGEST_LINK)} are cut on ` +
        'their way. ',
      'Send the input as a file instead, or share one Service only.',
    ),
    h('div', { class: 'buttons' }, h('button', { type: 'button', onClick: () => actions.onSaveInput() }, 'Save the input as a file')),
  );
}

/**
 * How much of the user's own input the link contains.
 * @param {{service: string, how: {only: boolean, renamed: boolean}, onHow: (how: {only: boolean, renamed: boolean}) => void}} props
 */
function Extent({ service, how, onHow }) {
  /** @param {Event} event */
  const isChecked = (event) => /** @type {HTMLInputElement} */ (event.currentTarget).checked;
  return h(
    'div',
    { class: 'share-part share-extent', role: 'group', 'aria-label': 'What the link contains' },
    h(
      'label',
      null,
      h('input', {
        type: 'checkbox',
        checked: how.only,
        onChange: (/** @type {Event} */ event) => onHow({ only: isChecked(event), renamed: how.renamed && isChecked(event) }),
      }),
      h('span', null, 'Only ', h('code', null, service), ' with its pods, its slices and the nodes'),
    ),
    h(
      'label',
      null,
      h('input', {
        type: 'checkbox',
        checked: how.renamed,
        onChange: (/** @type {Event} */ event) => onHow({ only: how.only || isChecked(event), renamed: isChecked(event) }),
      }),
      h('span', null, 'Replace names, labels and addresses, and leave out what no plan needs; the plan stays the same'),
    ),
  );
}

/** What the link tells. @param {{only: boolean, renamed: boolean}} how */
function extentWords({ only, renamed }) {
  if (renamed) return 'The link contains one Service under other names; those of ports are kept.';
  const what = only ? 'one Service with its pods, slices and nodes' : 'the whole input';
  return `The link contains ${what}, names and addresses included: anyone who has the link can read it. No server receives it.`;
}

/** @param {{link: string, isOwn: boolean, how: {only: boolean, renamed: boolean}}} props */
function LinkPart({ link, isOwn, how }) {
  return h(
    'section',
    { class: 'share-part', 'aria-labelledby': 'share-link' },
    h('h3', { id: 'share-link' }, 'Link'),
    h(CopyField, { label: 'Link', button: 'Copy the link', text: link }),
    h(
      'p',
      { class: 'quiet' },
      `${number(link.length)} characters. `,
      isOwn
        ? extentWords(how)
        : 'The link names the example, and holds whatever you have changed.',
      link.length > LONG &&
        ` Some chat programs cut links longer than ${number(LONG)} characters; the page says so when it opens a link that was cut.`,
    ),
  );
}

/** @param {{page: string, fragment: string, state: AppState}} props */
function EmbedPart({ page, fragment, state }) {
  const title = `slicewise: ${state.model?.key ?? 'EndpointSlices'}`.replaceAll(/[&"<>]/g, '');
  const snippet = `<iframe src="${page}?embed=1${fragment.replaceAll('&', '&amp;')}" title="${title}" width="100%" height="520" loading="lazy" ` +
    'sandbox="allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox" referrerpolicy="no-referrer"></iframe>';
  return h(
    'section',
    { class: 'share-part', 'aria-labelledby': 'share-embed' },
    h('h3', { id: 'share-embed' }, 'Frame for a web page'),
    h(CopyField, { label: 'HTML', button: 'Copy the HTML', text: snippet }),
  );
}
