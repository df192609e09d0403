// The lightbox of galleries. Without it, each link opens its picture.
(() => {
  const links = (gallery) => [...document.querySelectorAll(`a[data-lightbox="${gallery}"]`)];
  const make = (name, attributes, ...children) => {
    const element = Object.assign(document.createElement(name), attributes);
    element.append(...children);
    return element;
  };
  let dialog;
  let show;

  const build = () => {
    const image = make('img', { alt: '' });
    const caption = make('p', { className: 'lightbox-caption' });
    const button = (label, sign) => {
      const one = make('button', { type: 'button', textContent: sign });
      one.setAttribute('aria-label', label);
      return one;
    };
    const [previous, next, close] = [
      button('Previous picture', '‹'),
      button('Next picture', '›'),
      button('Close', '×'),
    ];
    caption.setAttribute('aria-live', 'polite');
    dialog = make('dialog', { className: 'lightbox' }, close, image, caption, previous, next);
    dialog.setAttribute('aria-label', 'Pictures');
    document.body.append(dialog);
    let all = [];
    let at = 0;
    show = (list, index) => {
      all = list;
      at = (index + list.length) % list.length;
      const link = list[at];
      const small = link.querySelector('img');
      image.src = link.href;
      image.alt = small?.alt || link.getAttribute('aria-label') || '';
      caption.textContent = [link.dataset.caption, `${at + 1} of ${list.length}`].filter(Boolean).join(' · ');
      previous.hidden = next.hidden = list.length < 2;
      if (!dialog.open) dialog.showModal();
    };
    const go = (step) => show(all, at + step);
    previous.onclick = () => go(-1);
    next.onclick = () => go(1);
    close.onclick = () => dialog.close();
    dialog.onkeydown = ({ key }) => {
      if (key === 'ArrowLeft') go(-1);
      if (key === 'ArrowRight') go(1);
    };
    dialog.onclick = ({ target }) => {
      if (target === dialog) dialog.close();
    };
    dialog.onclose = () => {
      image.removeAttribute('src');
      all[at]?.focus();
    };
    let from;
    dialog.onpointerdown = ({ clientX, pointerType }) => {
      from = pointerType === 'mouse' ? undefined : clientX;
    };
    dialog.onpointerup = ({ clientX }) => {
      if (from !== undefined && Math.abs(clientX - from) > 40) go(clientX < from ? 1 : -1);
      from = undefined;
    };
  };

  document.addEventListener('click', (event) => {
    const link = event.target.closest?.('a[data-lightbox]');
    if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (!dialog) build();
    const list = links(link.dataset.lightbox);
    show(list, list.indexOf(link));
  });
})();
