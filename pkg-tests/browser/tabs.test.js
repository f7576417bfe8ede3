/** The tabs beside the picture, in a real browser: by keyboard, in both themes, at 320 pixels, with the core's words. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createReviewer } from 'slicewise/admission';
import { apply, plan, route, traffic } from 'slicewise/tools';
import { reviews } from '../../www/samples/generate-reviews.mjs';
import { findings, widths } from './axe.js';
import { exampleBytes, exampleLink, openTab, paste, start, told, withPage } from './harness.js';

/** @import {Page} from 'playwright-core' */

/** @type {import('./harness.js').World} */
let world;
before(async () => {
  world = await start();
});
after(() => world.close());

/** An example's only Service from one node, according to the core, now and after the plan. @param {string} id @param {string} name */
function viewOfNode(id, name) {
  /** @type {any} */
  const request = JSON.parse(exampleBytes(id).toString());
  const then = apply(plan(/** @type {import('slicewise').PlanRequest} */ (request)), request.slices).slices;
  const node = request.nodes.find((/** @type {any} */ each) => each.metadata.name === name);
  return [request.slices, then].map((slices) => {
    const [port] = traffic({ service: request.service, slices, nodes: [node] }).ports;
    const [told_] = Object.values(route({ service: request.service, slices, node }).routes);
    const rules = told_?.rules.map(({ message }) => message);
    return { used: port?.groups[0]?.uses.length, all: port?.endpoints.length, zones: port?.zones[0]?.to, rules };
  });
}

/** The texts of a node's view, side by side. @param {Page} page */
function nodeSides(page) {
  return page.locator('.node-view .side').evaluateAll((sides) =>
    sides.map((side) => ({
      uses: side.querySelector('.uses strong')?.textContent,
      rules: [...side.querySelectorAll('.rule-steps li')].map((step) => step.textContent),
      zones: [...side.querySelectorAll('.zone-band')].map((band) =>
        [band.querySelector('.visually-hidden')?.textContent, band.querySelector('p strong')?.textContent].join(' '),
      ),
    })),
  );
}

test('the view of one node: whom it uses and which rules led there, as the core tells it', () =>
  withPage(world, { hash: exampleLink('borrowed-endpoints') }, async (page) => {
    await openTab(page, 'Traffic');
    await page.getByRole('listbox', { name: 'Nodes' }).getByRole('option', { name: 'node-a2' }).click();
    await told(page);
    const sides = await nodeSides(page);
    viewOfNode('borrowed-endpoints', 'node-a2').forEach(({ used, all, zones, rules }, index) => {
      assert.equal(sides[index]?.uses, `${used} of ${all} endpoints`);
      assert.deepEqual(sides[index]?.rules, rules);
      assert.deepEqual(sides[index]?.zones, zones?.map(({ zone, share }) => `${zone} ${Number((share * 100).toFixed(1))} %`));
    });
    assert.match(sides[1]?.rules.join() ?? '', /hinted to zone europe-west4-a/);
  }));

test('the keyboard chooses a node, and another reader has another rule', () =>
  withPage(world, { hash: exampleLink('borrowed-endpoints') }, async (page) => {
    await openTab(page, 'Traffic');
    await page.getByRole('listbox', { name: 'Nodes' }).focus();
    await page.keyboard.press('End');
    await page.locator('.node-title', { hasText: 'node-c2' }).waitFor();
    await page.keyboard.press('ArrowUp');
    await page.locator('.node-title', { hasText: 'node-c1' }).waitFor();
    await page.getByLabel('Read by').selectOption('istio');
    await page.locator('.rule-steps', { hasText: 'no trafficDistribution' }).first().waitFor();
    await page.locator('.node-view summary', { hasText: 'The same as a table' }).click();
    const rows = page.getByRole('region', { name: 'Endpoints that node-c1 uses' }).locator('tbody tr');
    assert.equal(await rows.count(), 12);
    assert.match((await rows.last().textContent()) ?? '', /europe-west4-c.*8\.3 %/);
  }));

test('columns side by side: four ways to ask for hints, and what differs', () =>
  withPage(world, { hash: exampleLink('eleven-endpoints') }, async (page) => {
    await openTab(page, 'Compare');
    /** @param {string} title */
    const row = (title) =>
      page
        .locator('.compare-table tr', { has: page.getByRole('rowheader', { name: title, exact: true }) })
        .locator('td')
        .allTextContents();
    assert.deepEqual(await row('Hinted'), ['0 of 11', '0 of 11', '11 of 11', '11 of 11']);
    assert.deepEqual(await row('Crosses zones'), ['66.7 %', '66.7 %', '0 %', '0 %']);
    assert.match((await row('Hints'))[1] ?? '', /✗ off.*Unable to allocate minimum required endpoints/);
    assert.deepEqual(await row('Differs from the first'), ['–', 'in nothing', '1 slice; endpoints: 11 changed', '1 slice; endpoints: 11 changed']);
    const names = await page.locator('.column-head > span').allTextContents();
    assert.deepEqual(names, ['no hints', 'Auto', 'PreferSameZone', 'PreferSameNode']);
    // Figures first; a slice that the first column has, too, is not drawn again.
    assert.deepEqual(await page.locator('.compare-table tbody th').evaluateAll((heads) => heads.slice(-2).map((head) => head.textContent)), [
      'Picture',
      'Settings',
    ]);
    const drawn = await page.locator('.pictures td').evaluateAll((cells) => cells.map((cell) => cell.querySelectorAll('.mini-slice').length));
    assert.deepEqual(drawn, [1, 0, 1, 1]);
    assert.equal((await row('Picture'))[1], '1 slice as in the first column');
    await page.getByText('What differs in column 3').click();
    assert.match((await page.locator('.differences[open]').textContent()) ?? '', /\/hints: nothing → \{"forZones"/);
    await page.getByRole('group', { name: 'Column 1' }).getByLabel('Hints').selectOption('PreferSameZone');
    await told(page);
    assert.deepEqual(await row('Differs from the first'), ['–', '1 slice; endpoints: 11 changed', 'in nothing', '1 slice; endpoints: 11 changed']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await told(page);
    assert.equal((await row('Hinted'))[0], '0 of 11');
  }));

test('two inputs: the second one is pasted; what is wrong with it is said', () =>
  withPage(world, { hash: exampleLink('scale-up') }, async (page) => {
    await openTab(page, 'Compare');
    await page.getByRole('button', { name: 'Two inputs' }).click();
    const second = page.getByLabel('The second input, as JSON or YAML');
    await page.locator('.compare-table thead', { hasText: 'There is no second input yet. Paste one above, or open a file.' }).waitFor();
    await second.fill('{"items": [');
    await page.getByRole('alert').waitFor();
    await second.focus();
    await page.keyboard.press('Control+A');
    await paste(page, exampleBytes('scale-down').toString());
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await told(page);
    const cells = page.locator('.compare-table tr', { hasText: 'Differs from the first' }).locator('td');
    assert.match((await cells.nth(1).textContent()) ?? '', /slices; endpoints: /);
  }));

test('two inputs: a file that comes late leaves what was typed or chosen meanwhile; what was typed is not lost by going on', () =>
  withPage(world, { hash: exampleLink('scale-up') }, async (page) => {
    await openTab(page, 'Compare');
    await page.evaluate(() => {
      /** @type {(() => void)[]} */
      const held = [];
      const { text } = Blob.prototype;
      Blob.prototype.text = function hold() {
        return new Promise((resolve) => {
          held.push(() => resolve(text.call(this)));
        });
      };
      Object.assign(globalThis, { letGo: () => held.splice(0).forEach((read) => read()) });
    });
    const letGo = () => page.evaluate(() => /** @type {any} */ (globalThis).letGo());
    const two = page.getByRole('button', { name: 'Two inputs' });
    const packing = page.getByRole('button', { name: 'Packing', exact: true });
    const second = page.getByLabel('The second input, as JSON or YAML');
    const open = () =>
      page
        .locator('.other-input input[type=file]')
        .setInputFiles({ name: 'other.json', mimeType: 'application/json', buffer: Buffer.from('from the file') });
    await two.click();
    await open();
    await second.pressSequentially('[');
    await letGo();
    await page.waitForTimeout(500);
    assert.equal(await second.inputValue(), '[');
    await open();
    await second.pressSequentially(']');
    await packing.click();
    await letGo();
    await page.waitForTimeout(500);
    assert.equal(await packing.getAttribute('aria-pressed'), 'true');
    await two.click();
    assert.equal(await second.inputValue(), '[]');
    await open();
    await letGo();
    await page.waitForFunction(() => /** @type {HTMLTextAreaElement} */ (document.querySelector('#other-input')).value === 'from the file');
  }));

for (const { policy, review, config } of reviews) {
  test(`the example of a policy gets the verdict of the core: ${policy}`, () =>
    withPage(world, {}, async (page) => {
      await openTab(page, 'Admission');
      await page.getByRole('group', { name: /Examples/ }).getByRole('button', { name: policy }).click();
      const reviewer = createReviewer({ config: config ?? {}, snapshot: exampleBytes('cluster-at-rest') });
      const { text } = reviewer.explain(review);
      await page.locator('.verdict-line strong', { hasText: text.split('\n')[0] ?? '' }).waitFor();
      await told(page);
      await page.getByText('In full', { exact: true }).click();
      assert.equal(await page.getByLabel('The verdict in words').textContent(), text);
      assert.deepEqual(JSON.parse((await page.getByLabel('The answer').textContent()) ?? ''), JSON.parse(JSON.stringify(reviewer.review(review))));
      const first = page.getByRole('list', { name: 'Policies' }).locator('.policy-step').first();
      assert.match((await first.textContent()) ?? '', new RegExp(`^[✗!·]${policy}`));
    }));
}

test('an object of the cluster is changed by keyboard, and the settings of a policy', () =>
  withPage(world, { hash: exampleLink('cluster-at-rest') }, async (page) => {
    await openTab(page, 'Admission');
    await page.getByLabel('Object', { exact: true }).selectOption('shop/cart');
    const text = page.getByLabel('The object after the change');
    await page.waitForFunction(() => /** @type {HTMLTextAreaElement} */ (document.querySelector('.change-input textarea')).value.includes('"cart"'));
    await text.fill((await text.inputValue()).replace(/("selector": \{\s*"app": )"cart"/, '$1"crat"'));
    await page.locator('.verdict-line strong', { hasText: 'Update of Service shop/cart by jane: denied.' }).waitFor();
    await page.getByLabel('Mode of service-blast-radius').focus();
    await page.keyboard.press('w');
    await page.locator('.verdict-line strong', { hasText: 'allowed, with warnings' }).waitFor();
    assert.match((await page.locator('.config textarea').inputValue()), /"service-blast-radius": \{\s*"mode": "warn"/);
    await page.getByLabel('To', { exact: true }).selectOption('DELETE');
    await page.locator('.verdict-line strong', { hasText: 'Deletion of Service shop/cart by jane' }).waitFor();
  }));

test('an object that comes late, since a review is running, leaves what was done meanwhile, and is not wanted for another question', () =>
  withPage(world, { hash: exampleLink('cluster-at-rest') }, async (page) => {
    await openTab(page, 'Admission');
    // Objects wait until they are let go.
    await page.evaluate(() => {
      const { postMessage } = Worker.prototype;
      /** @type {(() => void)[]} */
      const held = [];
      Worker.prototype.postMessage = function hold(/** @type {any} */ question, /** @type {any} */ transfer) {
        if (question.call === 'text') held.push(() => postMessage.call(this, question, transfer));
        else postMessage.call(this, question, transfer);
      };
      Object.assign(globalThis, { letGo: () => held.splice(0).forEach((send) => send()) });
    });
    const letGo = () => page.evaluate(() => /** @type {any} */ (globalThis).letGo());
    await page.getByLabel('Object', { exact: true }).selectOption('shop/catalog');
    await page.getByLabel('Object', { exact: true }).selectOption('shop/cart');
    await page.getByLabel('To', { exact: true }).selectOption('DELETE');
    await letGo();
    await page.locator('.verdict-line strong', { hasText: 'Deletion of Service shop/cart by jane' }).waitFor();
    await page.getByLabel('Object', { exact: true }).selectOption('shop/catalog');
    await page.getByLabel('A whole review').check();
    const review = page.getByLabel(/^AdmissionReview, or an object/);
    await review.fill('{}');
    await letGo();
    await told(page);
    await page.waitForTimeout(300);
    assert.equal(await review.inputValue(), '{}');
    await page.getByLabel('A change to an object').check();
    await page.locator('.verdict-line strong', { hasText: 'Deletion of Service shop/cart by jane' }).waitFor();
  }));

test('what is entered at the moment a field appears is kept', () =>
  withPage(world, { hash: exampleLink('cluster-at-rest') }, async (page) => {
    await openTab(page, 'Admission');
    await page.getByLabel('A whole review').evaluate((choice) => {
      const observer = new MutationObserver(() => {
        const area = /** @type {HTMLTextAreaElement | null} */ (document.querySelector('textarea[placeholder*=AdmissionReview]'));
        if (!area) return;
        observer.disconnect();
        area.value = '{}';
        area.dispatchEvent(new Event('input', { bubbles: true }));
      });
      observer.observe(document.body, { childList: true, subtree: true });
      /** @type {HTMLElement} */ (choice).click();
    });
    await page.waitForTimeout(600);
    assert.equal(await page.getByLabel(/^AdmissionReview, or an object/).inputValue(), '{}');
  }));

test('a review that cannot be read says where, and nothing is lost', () =>
  withPage(world, {}, async (page) => {
    await openTab(page, 'Admission');
    await page.getByLabel('A whole review').check();
    const text = page.getByLabel(/^AdmissionReview, or an object/);
    await text.fill('{"apiVersion": "admission.k8s.io/v1",\n "kind": "AdmissionReview", "request": {"uid": 5}}');
    await page.locator('.mistake', { hasText: 'There is a mistake in the request, line 2' }).waitFor();
    assert.match(await text.inputValue(), /"uid": 5/);
  }));

for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
  for (const width of [320, 1440]) {
    test(`axe has nothing to say of the tabs: ${colorScheme}, ${width} pixels`, () =>
      withPage(world, { hash: exampleLink('borrowed-endpoints'), colorScheme, reducedMotion: 'reduce', viewport: { width, height: 800 } },
      async (page) => {
        for (const name of ['Traffic', 'Compare', 'Admission']) {
          await openTab(page, name);
          if (name === 'Admission') await page.getByRole('button', { name: 'service-blast-radius' }).click();
          if (name === 'Admission') await page.locator('.policy-step.deny').waitFor();
          for (const summary of await page.locator('[role=tabpanel]:not([hidden]) summary').all()) await summary.click();
          assert.deepEqual(await findings(page), [], name);
          const { scrollWidth, clientWidth } = await widths(page);
          assert.ok(scrollWidth <= clientWidth, `${name}: ${scrollWidth} > ${clientWidth}`);
        }
      }));
  }
}

test('a tab asks for nothing while it is hidden, and for what is new when it is shown again', () =>
  withPage(world, { hash: exampleLink('eleven-endpoints') }, async (page) => {
    await openTab(page, 'Traffic');
    await page.locator('#panel-traffic .headline', { hasText: 'Now: 0 % of the traffic crosses zones. After the plan: 66.7 %' }).waitFor();
    await page.getByRole('tab', { name: 'Picture' }).click();
    await paste(page, exampleBytes('borrowed-endpoints').toString());
    await page.waitForTimeout(500);
    assert.doesNotMatch((await page.locator('#panel-traffic .headline').allTextContents()).join(), /16\.7 %/);
    await openTab(page, 'Traffic');
    await page.locator('#panel-traffic .headline', { hasText: 'Now: 66.7 % of the traffic crosses zones. After the plan: 16.7 %' }).waitFor();
  }));
