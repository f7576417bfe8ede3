/** From the first screen to one's own cluster: how it gets in, and which Service is shown first. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { explain } from 'slicewise/tools';
import { COMMANDS } from '../../www/commands.js';
import { found } from '../../www/more-commands.js';
import { KUBECTL } from '../../www/model/text.js';
import { dump, exampleBytes } from './files.js';
import { openInput, paste, pasteInput, settled, start, told, withPage } from './harness.js';

/** @import {Page} from 'playwright-core' */

/** @type {import('./harness.js').World} */
let world;
before(async () => {
  world = await start();
});
after(() => world.close());

/** @param {Page} page */
function openDialog(page) {
  return page.locator('.topbar').getByRole('button', { name: 'Paste your cluster' }).click();
}

test('commands for pasting are found under the words that people use', () => {
  for (const word of ['paste', 'upload', 'open', 'kubectl', 'cluster']) {
    assert.ok(found(COMMANDS, word).some(({ id }) => id === 'paste'), word);
  }
});

test('the first screen says what this is, and takes a cluster: pasted, dropped, chosen; the command is copied', () =>
  withPage(world, {}, async (page) => {
    assert.match((await page.locator('.intro').textContent()) ?? '', /^Shows what the EndpointSlices .* Nothing you paste leaves this browser/);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await openDialog(page);
    const dialog = page.getByRole('dialog', { name: 'Paste your cluster' });
    await dialog.getByRole('button', { name: 'Copy the command' }).click();
    await dialog.getByText('Copied.').waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), KUBECTL);
    await dialog.getByText('Nothing leaves this browser').waitFor();
    await dialog.getByRole('textbox', { name: '2. Paste it' }).focus();
    await paste(page, exampleBytes('named-port').toString());
    await page.getByRole('heading', { name: 'Slices of shop/pay' }).waitFor();
    assert.equal(await dialog.count(), 0);
    assert.equal(await page.locator('.intro').count(), 0);
    await openDialog(page);
    await dialog.getByLabel('Input file').setInputFiles({ name: 'dump.json', mimeType: 'application/json', buffer: exampleBytes('drain') });
    await page.waitForFunction(() => document.title.includes('dump.json'));
    await openDialog(page);
    await dialog.locator('[aria-labelledby=paste-here]').first().evaluate((section, text) => {
      const data = new DataTransfer();
      data.items.add(new File([text], 'dropped.json'));
      section.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    }, exampleBytes('scale-up').toString());
    await page.waitForFunction(() => document.title.includes('dropped.json'));
    await settled(page);
  }));

test('a pasted dump opens on its worst Service; the list has the verdicts, worst first, and filters', () =>
  withPage(world, {}, async (page) => {
    const text = dump(50, [31]);
    await pasteInput(page, text);
    await page.getByRole('heading', { name: 'Slices of team-1/svc-0031' }).waitFor();
    await page.locator('.services-fold > summary', { hasText: 'Service 1 of 50 team-1/svc-0031 · 1 with problems' }).click();
    const { services } = JSON.parse(new TextDecoder().decode(explain(new TextEncoder().encode(text), {})));
    const verdicts = new Map(services.map((/** @type {any} */ { service, verdict }) => [service.name, verdict.text.replaceAll('`', '')]));
    const options = page.getByRole('listbox', { name: 'Services' }).getByRole('option');
    const shown = await options.evaluateAll((all) =>
      all.map((each) => [each.querySelector('.entry-name')?.lastChild?.textContent, each.querySelector('.entry-verdict')?.textContent]),
    );
    assert.equal(shown[0]?.[0], 'svc-0031');
    for (const [name, said] of shown) assert.equal(said, verdicts.get(name), String(name));
    await page.getByLabel('with problems').check();
    assert.equal(await options.count(), 1);
    await page.getByLabel('Namespace').selectOption('team-0');
    assert.equal(await options.count(), 0);
    await page.getByLabel('with problems').uncheck();
    await page.getByText('17 of 50').waitFor();
    // An edit moves nothing: the Service that is shown stays.
    await page.keyboard.press('Escape');
    await page.keyboard.press('+');
    await settled(page);
    await openInput(page);
    await page.locator('#input').focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Space');
    await told(page);
    await page.getByRole('heading', { name: 'Slices of team-1/svc-0031' }).waitFor();
  }));

test('of thousands of Services only those in view are drawn, and the keyboard reaches the last', () =>
  withPage(world, {}, async (page) => {
    await pasteInput(page, dump(3000, [2998]));
    await page.locator('.services-fold > summary', { hasText: '1 of 3,000 team-1/svc-2998' }).click();
    const list = page.getByRole('listbox', { name: 'Services' });
    assert.ok((await list.getByRole('option').count()) < 40);
    await list.evaluate((box) => box.scrollTo(0, 1500 * 52));
    await list.getByRole('option', { name: 'svc-1500' }).or(list.locator('[aria-posinset="1500"]')).first().waitFor();
    assert.ok((await list.getByRole('option').count()) < 40);
    await list.focus();
    await page.keyboard.press('End');
    await list.locator('[aria-posinset="3000"][aria-selected=true]').waitFor();
  }));
