/**
 * Everything that can be taken along. Words, patches and commands are the core's; here they only become files.
 * @import {ServiceModel, Theme} from '../types.js'
 */
import { pictureOf, pngOf } from './picture.js';
import { saveFile } from './save.js';

/** @param {ServiceModel} model @param {'svg' | 'png'} kind @param {Theme} theme */
export async function exportPicture(model, kind, theme) {
  const picture = pictureOf(model, theme);
  const content = kind === 'png' ? await pngOf(picture) : new Blob([picture.svg], { type: 'image/svg+xml' });
  saveFile(content, `${model.name}.${kind}`);
}
