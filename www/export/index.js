/**
 * Everything that can be taken along. Words and patches are the core's; here they only become files.
 * @import {ExportForm, ServiceModel, Theme} from '../types.js'
 * @import {EngineClient} from '../engine-client.js'
 */
import { pictureOf, pngOf } from './picture.js';
import { saveFile } from './save.js';
import { reportOf, yamlOf } from './words.js';

/** @type {Record<ExportForm, {ending: string, type: string, make: (engine: EngineClient, model: ServiceModel) => Promise<string | null>}>} */
const FORMS = {
  yaml: { ending: 'plan.yaml', type: 'application/yaml', make: (engine, { key }) => engine.planText(key).then(yamlOf) },
  patches: { ending: 'patches.json', type: 'application/json', make: (engine, { key }) => engine.patches(key) },
  report: { ending: 'report.md', type: 'text/markdown', make: (engine, model) => engine.why(model.key).then((topics) => topics && reportOf(model, topics)) },
};

/** @param {EngineClient} engine @param {ServiceModel} model @param {ExportForm} form */
export async function exportText(engine, model, form) {
  const { ending, type, make } = FORMS[form];
  const text = await make(engine, model);
  if (text !== null) saveFile(new Blob([text], { type }), `${model.name}-${ending}`);
}

/** @param {ServiceModel} model @param {'svg' | 'png'} kind @param {Theme} theme */
export async function exportPicture(model, kind, theme) {
  const picture = pictureOf(model, theme);
  const content = kind === 'png' ? await pngOf(picture) : new Blob([picture.svg], { type: 'image/svg+xml' });
  saveFile(content, `${model.name}.${kind}`);
}
