/**
 * The figures of a run.
 * @import {Actions, RunReport} from '../types.js'
 */
import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { bytes, clock } from '../model/timeline-text.js';
import { percent } from '../model/traffic-text.js';

/** The result of the run, phase by phase, as the core sums it up. @param {{run: number, actions: Actions}} props */
export function TimelineReport({ run, actions }) {
  const [report, setReport] = useState(/** @type {RunReport | null} */ (null));
  const [open, setOpen] = useState(false);
  useEffect(() => {
    if (open && !report) void actions.engine.timelineReport(run).then(setReport, () => {});
  }, [open]);
  return h(
    'details',
    { class: 'as-table', onToggle: (/** @type {Event} */ event) => setOpen(/** @type {HTMLDetailsElement} */ (event.currentTarget).open) },
    h('summary', null, 'The run in figures'),
    report &&
      h(
        'div',
        { class: 'scroller', tabindex: 0, role: 'region', 'aria-label': 'The run in figures' },
        h(
          'table',
          { class: 'report-table' },
          h('caption', { class: 'visually-hidden' }, 'Figures of each phase'),
          h('thead', null, h('tr', null, COLUMNS.map(([title]) => h('th', { key: title, scope: 'col' }, title)))),
          h(
            'tbody',
            null,
            report.phases.map((phase) =>
              h(
                'tr',
                { key: phase.name },
                h('th', { scope: 'row' }, phase.name),
                COLUMNS.slice(1).map(([title, words]) => h('td', { key: title }, words(phase))),
              ),
            ),
          ),
        ),
      ),
  );
}

/** @type {[string, (phase: RunReport['phases'][number]) => string | number][]} */
const COLUMNS = [
  ['Phase', ({ name }) => name],
  ['begins', ({ at }) => clock(at)],
  ['created', ({ sums }) => sums.writes.create],
  ['updated', ({ sums }) => sums.writes.update],
  ['deleted', ({ sums }) => sums.writes.delete],
  ['refused', ({ sums }) => sums.writes.refused],
  ['to watchers', ({ sums }) => bytes(sums.bytesToWatchers)],
  ['misdirected', ({ sums }) => `${sums.misdirectedSeconds.toFixed(1)} s`],
  ['unused', ({ sums }) => `${sums.unusedSeconds.toFixed(1)} s`],
  ['hint flips', ({ sums }) => sums.hintFlips],
  ['slices', ({ gauges }) => gauges.slices],
  ['fill', ({ gauges }) => percent(gauges.fill)],
];
