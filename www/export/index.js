/**
 * All exports. The core writes texts, patches and commands; here they only become files.
 * @import {ExportForm, ServiceModel, Theme} from '../types.js'
 * @import {EngineClient} from '../engine-client.js'
 */
import { pictureOf, pngOf } from './picture.js';
import { saveFile } from './save.js';

/** @type {Record<ExportForm, {ending: string, type: string}>} */
const FORMS = {
  yaml: { ending: 'plan.yaml', type: 'application/yaml' },
  patches: { ending: 'patches.json', type: 'application/json' },
  kubectl: { ending: 'kubectl.sh', type: 'text/x-shellscript' },
  report: { ending: 'report.md', type: 'text/markdown' },
};

/** @param {EngineClient} engine @param {ServiceModel} model @param {ExportForm} form */
export async function exportText(engine, model, form) {
  const { ending, type } = FORMS[form];
  const text = await engine.exported(model.key, form);
  if (text !== null) saveFile(new Blob([text], { type }), `${model.name}-${ending}`);
}

/** @param {ServiceModel} model @param {'svg' | 'png'} kind @param {Theme} theme */
export async function exportPicture(model, kind, theme) {
  const picture = pictureOf(model, theme);
  const content = kind === 'png' ? await pngOf(picture) : new Blob([picture.svg], { type: 'image/svg+xml' });
  saveFile(content, `${model.name}.${kind}`);
}
