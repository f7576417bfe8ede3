/** The guided path, the terms, and the printed sheet. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findings, widths } from './axe.js';
import { exampleLink, start, told, withPage } from './harness.js';

/** @type {import('./harness.js').World} */
let world;
before(async () => {
  world = await start();
});
after(() => world.close());

for (const viewport of [{ width: 1280, height: 900 }, { width: 320, height: 640 }]) {
  test(`the path leads by keyboard from pods to hints, covers nothing it is about, and is offered once: ${viewport.width}`, () =>
    withPage(world, { viewport, reducedMotion: 'reduce' }, async (page) => {
      await told(page);
      const starter = page.getByRole('button', { name: '60-second tour' });
      await starter.focus();
      await page.keyboard.press('Enter');
      const card = page.getByRole('dialog');
      for (const name of ['1 of 4: Pods', '2 of 4: Endpoints', '3 of 4: Slices', '4 of 4: Hints']) {
        await card.getByRole('heading', { name }).waitFor();
        assert.equal(await page.evaluate(() => document.activeElement?.textContent), name);
        const shown = await page.evaluate(() => {
          const [part, over] = ['[data-guided]', '.guide'].map((selector) => document.querySelector(selector)?.getBoundingClientRect());
          return part && over && part.top >= 0 && part.top < over.top;
        });
        assert.ok(shown, name);
        assert.deepEqual(await findings(page), []);
        const { scrollWidth, clientWidth } = await widths(page);
        assert.ok(scrollWidth <= clientWidth);
        await card.getByRole('button', { name: /Next|Done/ }).press('Enter');
      }
      await card.waitFor({ state: 'detached' });
      assert.equal(await page.locator('[data-guided]').count(), 0);
      assert.equal(await page.evaluate(() => document.activeElement?.id), 'main');
      await page.reload();
      await told(page);
      assert.equal(await starter.count(), 0);
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').fill('from pods to hints');
      await page.keyboard.press('Enter');
      await card.getByRole('heading', { name: '1 of 4: Pods' }).waitFor();
      await page.keyboard.press('Escape');
      await card.waitFor({ state: 'detached' });
    }));
}

test('a term is explained at a touch', () =>
  withPage(world, { viewport: { width: 390, height: 800 }, hasTouch: true }, async (page) => {
    await told(page);
    const text = page.locator('#term-hint');
    assert.equal(await text.isVisible(), false);
    await page.getByRole('button', { name: 'Hint: what it is' }).tap();
    await text.getByText('kube-proxy follows hints only if').waitFor();
    assert.deepEqual(await findings(page), []);
    await page.keyboard.press('Escape');
    assert.equal(await text.isVisible(), false);
  }));

for (const id of ['eleven-endpoints', 'rolling-update', 'selector-typo', 'dual-stack']) {
  test(`what is printed is one light sheet with the question, its picture and why, without controls: ${id}`, () =>
    withPage(world, { hash: exampleLink(id), colorScheme: 'dark' }, async (page) => {
      await told(page);
      const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
      assert.equal(pdf.match(/\/Type\s*\/Page\b/g)?.length, 1);
      await page.emulateMedia({ media: 'print' });
      for (const part of ['.hero h2', '.headline', '.lanes', '.slice', '.why-what']) assert.ok(await page.locator(part).first().isVisible(), part);
      const controls = page.locator('button:visible, input:visible, select:visible, summary:visible');
      // What a finding says to do is plain text here.
      assert.deepEqual(await controls.evaluateAll((all) => all.filter((each) => !each.matches('.do')).map(({ outerHTML }) => outerHTML)), []);
      assert.equal(await page.locator('.hero h2').evaluate((part) => getComputedStyle(part).color), 'rgb(22, 32, 46)');
    }));
}
