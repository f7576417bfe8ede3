/**
 * `<slicewise-picture>`: a view of the page within another page, in a frame as high as its content. It shows an example, the file
 * at `src`, or the text it contains: objects or a plan request, as JSON or YAML.
 */
class SlicewisePicture extends HTMLElement {
  static observedAttributes = ['page', 'src', 'example', 'service', 'tab'];
  #frame = document.createElement('iframe');
  #hear = (/** @type {MessageEvent} */ { source, data }) => {
    if (source !== this.#frame.contentWindow) return;
    if (data?.slicewise === 'height' && data.height > 0) this.#frame.height = String(data.height);
    if (data?.slicewise === 'ready') void this.#send();
  };

  connectedCallback() {
    this.shadowRoot ?? this.attachShadow({ mode: 'open' });
    this.style.display ||= 'block';
    this.#frame.style.cssText = 'display: block; width: 100%; border: 0';
    this.#frame.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox');
    addEventListener('message', this.#hear);
    this.attributeChangedCallback();
  }

  disconnectedCallback() {
    removeEventListener('message', this.#hear);
  }

  attributeChangedCallback() {
    if (!this.isConnected || !this.shadowRoot) return;
    const own = this.hasAttribute('src') || this.textContent?.trim();
    const link = new URLSearchParams(own ? { v: '2', own: 'message' } : { v: '2', example: this.getAttribute('example') ?? 'eleven-endpoints' });
    for (const name of ['service', 'tab']) if (this.hasAttribute(name)) link.set(name, this.getAttribute(name) ?? '');
    this.#frame.title = this.title || 'slicewise';
    this.#frame.src = new URL(`?embed=1${own ? '&input=message' : ''}#${link}`, this.#page).href;
    // Loads it even if only the fragment differs.
    this.shadowRoot.replaceChildren(this.#frame);
  }

  get #page() {
    return new URL(this.getAttribute('page') ?? './', document.baseURI);
  }

  async #send() {
    const src = this.getAttribute('src');
    const text = src === null ? this.textContent : await fetch(new URL(src, document.baseURI)).then((response) => response.text());
    this.#frame.contentWindow?.postMessage({ slicewise: 'input', text }, this.#page.origin);
  }
}

customElements.get('slicewise-picture') ?? customElements.define('slicewise-picture', SlicewisePicture);
