/**
 * What is exported as text. The words are the core's; here they are laid out.
 * @import {ServiceModel, WhyEntry, WhyTopic} from '../types.js'
 */
import { counted } from '../model/text.js';
import { CHANGES } from '../views/slice-card.js';
import { TITLES } from '../views/why.js';

/** JSON as YAML that every reader takes for the same: all strings are quoted. @param {string} json */
export async function yamlOf(json) {
  const { stringify } = await import(/* webpackChunkName: "yaml-writer" */ './yaml-writer.js');
  return stringify(JSON.parse(json), { defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN', lineWidth: 0, aliasDuplicateObjects: false });
}

/** @param {ServiceModel} model @param {WhyTopic[]} topics @returns {string} Markdown */
export function reportOf(model, topics) {
  const rows = [...model.groups.flatMap((group) => group.rows), ...model.foreign].map(
    ({ title, change, before, after }) => `| ${plain(title)} | ${CHANGES[change].word} | ${before?.count ?? '–'} | ${after?.count ?? '–'} |`,
  );
  const parts = [`# ${plain(model.key)}`, plain(model.sentence), ['| Slice | Plan | Endpoints before | after |', '| --- | --- | --: | --: |', ...rows].join('\n')];
  for (const { topic, entries, left } of topics) {
    parts.push(`## ${TITLES[topic]}`, entries.map(entryOf).join('\n'));
    if (left > 0) parts.push(`and ${left} more`);
  }
  return `${parts.join('\n\n')}\n`;
}

/** @param {WhyEntry} entry */
function entryOf({ code, kind, name, others, otherCount, what, because, mend, details, fixes }) {
  const more = otherCount > others.length ? ' and others' : '';
  return [
    `- **${prose(what)}** ${kind} ${plain(name)}, \`${code}\``,
    because && `  - because ${prose(because)}`,
    mend && `  - do: ${prose(mend)}`,
    details && `  - ${prose(details)}`,
    otherCount > 0 && `  - the same is true of ${counted(otherCount, `more ${kind}`)}: ${others.map(plain).join(', ')}${more}`,
    ...fixes.map(({ change, effect }) => `  - ${prose(change)}: ${prose(effect)}`),
  ].filter(Boolean).join('\n');
}

/** Text in which backticks set off what is to be read as written. @param {string} text */
function prose(text) {
  const parts = text.split('`');
  // Without their counterpart they are only characters.
  if (parts.length % 2 === 0) return plain(text);
  return parts.map((part, index) => (index % 2 === 0 ? plain(part) : `\`${line(part)}\``)).join('');
}

/** Text that is not to be understood as Markdown, whatever it is. @param {string} text */
function plain(text) {
  return line(text).replace(/[\\`*_[\]<>|~&]/g, '\\$&');
}

/** On one line. @param {string} text */
function line(text) {
  return text.replace(/\s+/g, ' ');
}
