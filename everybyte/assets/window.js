// A list of lines of one height, of which only those in view are elements.

const MOST_LINES = 200;

class LineWindow {
  constructor(box, draw) {
    this.box = box;
    this.draw = draw;
    this.count = 0;
    this.height = 24;
    this.sheet = make('div', 'sheet');
    box.append(this.sheet);
    box.addEventListener('scroll', () => this.later(), { passive: true });
    new ResizeObserver(() => this.later()).observe(box);
  }

  later() {
    if (this.isDue) return;
    this.isDue = true;
    requestAnimationFrame(() => {
      this.isDue = false;
      this.fill(this.count);
    });
  }

  fill(count) {
    this.count = count;
    this.height = parseFloat(getComputedStyle(this.box).getPropertyValue('--line')) || 24;
    this.sheet.style.height = `${count * this.height}px`;
    this.refresh();
  }

  refresh() {
    const first = Math.max(0, Math.floor(this.box.scrollTop / this.height) - 8);
    const last = Math.min(this.count, first + Math.min(MOST_LINES, Math.ceil(this.box.clientHeight / this.height) + 16));
    const lines = [];
    for (let place = first; place < last; place++) {
      const line = this.draw(place);
      line.style.transform = `translateY(${place * this.height}px)`;
      lines.push(line);
    }
    this.sheet.replaceChildren(...lines);
    // The chosen line is the active one of its box, as long as it is an element.
    const active = lines.find(line => line.hasAttribute('aria-selected'));
    if (active) this.box.setAttribute('aria-activedescendant', active.id);
    else this.box.removeAttribute('aria-activedescendant');
  }

  show(place) {
    const [top, height] = [place * this.height, this.box.clientHeight];
    const isSeen = top >= this.box.scrollTop && top + this.height <= this.box.scrollTop + height;
    if (!isSeen) this.box.scrollTop = Math.max(0, top - height / 3);
    this.refresh();
  }
}
