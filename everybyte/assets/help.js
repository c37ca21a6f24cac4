// The keys of a page, in a dialog.

const help = {
  box: make('dialog', 'help'),

  build(keys) {
    const list = make('dl', '');
    for (const [names, words] of keys) {
      const parts = names.split(' ').flatMap((key, place) => [place ? ' ' : '', make('kbd', '', key)]);
      list.append(make('dt', '', ...parts), make('dd', '', words));
    }
    this.box.append(make('h2', '', 'Keys'), list, button('', 'close', () => this.box.close()));
    this.box.addEventListener('click', event => event.target === this.box && this.box.close());
  },

  show() {
    this.box.showModal();
  },
};
