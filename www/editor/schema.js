/**
 * What a text may hold at a place: its fields, their types and values. From the JSON Schema of Kubernetes objects
 * (`kubernetes.json`), of a plan request, and of a scenario; pure, and read only as far as it is asked.
 */

/**
 * @typedef {object} Place a schema, with the document that its references are in
 * @property {any} document
 * @property {any} schema
 * @property {string} [kind] that of an object there, or of the items there, if they do not say it
 *
 * @typedef {object} Type
 * @property {string[]} names such as `string`
 * @property {string} description
 * @property {Map<string, Place>} fields
 * @property {Place | null} items
 * @property {Place | null} others fields of any other name
 * @property {'dropped' | 'refused' | 'any'} unknown what happens to fields that it does not have
 * @property {string[]} values the only ones
 * @property {string[]} examples frequent ones
 *
 * @typedef {object} Schemas what a kind of text may hold
 * @property {Place} root the place of the whole text, of each of its documents, and of each item of a list there
 * @property {string[]} kinds the names of kinds of objects
 * @property {(place: Place, own?: (field: string) => string | null) => Type} typeOf the type at a place, with the value of a field of the
 *   object there, `''` if it is no text
 * @property {(type: Type, name: string) => Place | null} field a field, or null if there is none of that name
 */

/** What an object of any kind is called in the schemas of our own. */
const OBJECT = '#/$defs/KubernetesObject';
/** The kinds of the objects in a plan request, which need not say them. @type {Record<string, string>} */
const KIND_OF = { service: 'Service', pods: 'Pod', nodes: 'Node', slices: 'EndpointSlice' };

/** Kubernetes objects, and a plan request. @implements {Schemas} */
export class ObjectSchemas {
  #kubernetes;
  #request;
  /** The names of all kinds. @type {string[]} */
  kinds;
  #any;
  #list;
  /** An object of a kind that plans do not read. */
  #other;

  /** By kind. @type {Map<string, any>} */
  #objects;
  /** Those that were asked for, by schema and kind. @type {WeakMap<object, Map<string, Type>>} */
  #types = new WeakMap();

  /** @param {any} kubernetes @param {any} request the schema of a plan request */
  constructor(kubernetes, request) {
    this.#kubernetes = kubernetes;
    this.#request = request;
    this.kinds = kubernetes.oneOf.map((/** @type {{$ref: string}} */ { $ref }) => $ref.split('/').pop());
    this.#objects = new Map(this.kinds.map((name) => [name, { $ref: `#/$defs/${name}` }]));
    const description = 'The kind of the object.';
    const kind = { type: 'string', description, examples: ['List', ...this.kinds] };
    const apiVersion = { type: 'string', description: 'The version of the API that the object is of.', examples: this.#versions() };
    const items = { type: 'array', description: 'The objects.', items: { $ref: OBJECT } };
    const metadata = { type: 'object', description: "Standard object's metadata." };
    this.#list = { type: 'object', properties: { apiVersion: { ...apiVersion, examples: ['v1'] }, kind, metadata, items } };
    this.#other = { type: 'object', properties: { apiVersion, kind, metadata } };
    const of = { apiVersion, kind, metadata, items, spec: { type: 'object' }, status: { type: 'object' } };
    this.#any = { type: 'object', properties: { ...of, ...request.properties } };
  }

  /** @returns {Place} */
  get root() {
    return { document: this.#request, schema: { $ref: OBJECT } };
  }

  /** @param {Place} place @param {(field: string) => string | null} [own] @returns {Type} */
  typeOf(place, own = () => null) {
    const of = place.schema.$ref === OBJECT ? this.#objectOf(place, own) : place;
    const known = this.#types.get(of.schema)?.get(of.kind ?? '');
    if (known) return known;
    const type = merged(of, this.#kubernetes);
    this.#types.set(of.schema, (this.#types.get(of.schema) ?? new Map()).set(of.kind ?? '', type));
    return type;
  }

  /** @param {Type} type @param {string} name @returns {Place | null} */
  field(type, name) {
    const place = type.fields.get(name) ?? type.others;
    const kind = KIND_OF[name];
    return place && kind ? { ...place, kind } : place;
  }

  /** @param {Place} place @param {(field: string) => string | null} own @returns {Place} */
  #objectOf({ document, kind: implied = '' }, own) {
    const kind = own('kind') ?? implied;
    const known = this.#objects.get(kind);
    if (known) return { document: this.#kubernetes, schema: known };
    const of = kind.endsWith('List') ? kind.slice(0, -4) : null;
    if (of !== null) return { document, schema: this.#list, ...(this.#objects.has(of) && { kind: of }) };
    if (kind !== '') return { document, schema: this.#other };
    const isRequest = own('apiVersion') === null && Object.keys(KIND_OF).some((field) => own(field) !== null);
    return { document, schema: isRequest ? this.#request : this.#any };
  }

  #versions() {
    const all = this.kinds.map((/** @type {string} */ kind) => this.#kubernetes.$defs[kind].properties.apiVersion.enum[0]);
    return [...new Set(all)];
  }
}

/** One schema throughout. @implements {Schemas} */
export class OneSchema {
  root;
  /** @type {string[]} */
  kinds = [];
  /** Those that were asked for. @type {WeakMap<object, Type>} */
  #types = new WeakMap();

  /** @param {any} schema */
  constructor(schema) {
    /** @type {Place} */
    this.root = { document: schema, schema };
  }

  /** @param {Place} place @returns {Type} */
  typeOf(place) {
    const known = this.#types.get(place.schema);
    if (known) return known;
    const type = merged(place, null);
    this.#types.set(place.schema, type);
    return type;
  }

  /** @param {Type} type @param {string} name @returns {Place | null} */
  field(type, name) {
    return type.fields.get(name) ?? type.others;
  }
}

/** @param {Place} place @param {any} kubernetes null if there are no objects @returns {Type} */
function merged({ document, schema: whole, kind }, kubernetes) {
  const read = [...parts(document, whole)];
  /** @type {Map<string, any[]>} */
  const fields = new Map();
  for (const { properties = {} } of read) {
    for (const [name, schema] of Object.entries(properties)) fields.set(name, [...(fields.get(name) ?? []), schema]);
  }
  /** @param {any} schema @param {boolean} [isItems] @returns {Place} */
  const placed = (schema, isItems = false) => ({ document, schema, ...(isItems && kind && { kind }) });
  const items = read.find((part) => part.items)?.items;
  const others = read.map(({ additionalProperties }) => additionalProperties).find((each) => typeof each === 'object' || each === true);
  const isStrict = read.some(({ additionalProperties }) => additionalProperties === false);
  const isDropped = document === kubernetes && fields.size > 0 && !others;
  return {
    names: unique(read.flatMap(({ type = [] }) => type)).filter((name) => name !== 'null'),
    description: read.find(({ description }) => description)?.description ?? '',
    fields: new Map([...fields].map(([name, all]) => [name, placed(all.length > 1 ? { allOf: all } : all[0], name === 'items')])),
    items: items ? placed(items, true) : null,
    others: others ? placed(others === true ? {} : others) : null,
    unknown: isStrict ? 'refused' : isDropped ? 'dropped' : 'any',
    values: unique(read.flatMap((part) => part.enum ?? (part.const === undefined ? [] : [part.const]))).filter((value) => typeof value === 'string'),
    examples: unique(read.flatMap(({ examples = [] }) => examples)),
  };
}

/** A schema with those that it refers to and combines. @param {any} document @param {any} schema @returns {Generator<any>} */
function* parts(document, schema) {
  if (typeof schema !== 'object' || schema === null) return;
  yield schema;
  const { $ref = '', allOf = [], anyOf = [], oneOf = [] } = schema;
  if ($ref) yield* parts(document, document.$defs[$ref.split('/').pop()]);
  for (const each of [...allOf, ...anyOf, ...oneOf]) yield* parts(document, each);
}

/** @template T @param {T[]} values */
function unique(values) {
  return [...new Set(values)];
}

/** A type in words, such as `integer or string`. @param {Type} type @param {Schemas} schemas @returns {string} */
export function wordsOf({ names, items, others }, schemas) {
  return names
    .map((name) => {
      if (name === 'array' && items) return `list of ${plural(wordsOf(schemas.typeOf(items), schemas))}`;
      return name === 'object' && others ? 'map' : name;
    })
    .join(' or ');
}

/** @param {string} words */
function plural(words) {
  return words === '' ? 'values' : `${words}s`;
}
