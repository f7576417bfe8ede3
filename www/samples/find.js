/**
 * Inputs by name: the examples of the gallery, and the questions, whose list loads when needed.
 */
import { exampleById } from './index.js';

const QUESTION = /^\d{4}-/;

/** @param {string} id @returns {Promise<{url: URL, name: string} | null>} null if there is no such input */
export async function findExample(id) {
  const example = exampleById(id);
  if (example) return { url: example.url, name: `${id}.json` };
  if (!QUESTION.test(id)) return null;
  const { QUESTIONS } = await import(/* webpackChunkName: "questions" */ './questions.js');
  const question = QUESTIONS.find((each) => each.id === id);
  return question ? { url: question.url, name: question.title } : null;
}
