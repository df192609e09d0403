// The lightbox of galleries, as browsers load it. Without it, each link opens its picture.

export const lightboxScript = `{
  const make = (name, attributes, ...children) => {
    const element = Object.assign(document.createElement(name), attributes);
    element.append(...children);
    return element;
  };
  const button = (label, textContent) => {
    const one = make('button', { type: 'button', textContent });
    one.setAttribute('aria-label', label);
    return one;
  };
  const image = make('img', { alt: '' });
  const caption = make('p', { className: 'lightbox-caption' });
  const [close, previous, next] = [button('Close', '×'), button('Previous picture', '‹'), button('Next picture', '›')];
  const dialog = make('dialog', { className: 'lightbox' }, close, image, caption, previous, next);
  let links = [];
  let at = 0;
  let isLoop = true;

  const show = (index) => {
    if (!isLoop && !links[index]) return;
    at = (index + links.length) % links.length;
    const link = links[at];
    image.src = link.href;
    image.alt = link.querySelector('img')?.alt || link.getAttribute('aria-label') || '';
    caption.textContent = [link.dataset.caption, at + 1 + ' of ' + links.length].filter(Boolean).join(' · ');
    previous.hidden = isLoop ? links.length < 2 : at === 0;
    next.hidden = isLoop ? links.length < 2 : at === links.length - 1;
    if (document.activeElement.hidden) close.focus();
    if (!dialog.isConnected) document.body.append(dialog);
    if (!dialog.open) dialog.showModal();
  };

  caption.setAttribute('aria-live', 'polite');
  dialog.setAttribute('aria-label', 'Pictures');
  previous.onclick = () => show(at - 1);
  next.onclick = () => show(at + 1);
  close.onclick = () => dialog.close();
  dialog.onkeydown = ({ key }) => {
    if (key === 'ArrowLeft') show(at - 1);
    if (key === 'ArrowRight') show(at + 1);
  };
  dialog.onclick = ({ target }) => {
    if (target === dialog) dialog.close();
  };
  dialog.onclose = () => {
    image.removeAttribute('src');
    links[at]?.focus();
  };

  let from;
  dialog.onpointerdown = ({ clientX, pointerType }) => {
    from = pointerType === 'mouse' ? undefined : clientX;
  };
  dialog.onpointerup = ({ clientX }) => {
    if (from !== undefined && Math.abs(clientX - from) > 40) show(clientX < from ? at + 1 : at - 1);
    from = undefined;
  };

  document.addEventListener('click', (event) => {
    const link = event.target.closest?.('a[data-lightbox]');
    if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const set = link.closest('.gallery')?.dataset ?? {};
    if (set.mobileLightbox === '0' && matchMedia('(max-width: 37.5rem)').matches) return;
    event.preventDefault();
    isLoop = set.loop !== '0';
    dialog.classList.toggle('lightbox-no-arrows', set.arrows === '0');
    links = [...document.querySelectorAll('a[data-lightbox="' + link.dataset.lightbox + '"]')];
    show(links.indexOf(link));
  });
}
`;
