// Runs on pages that show one of ours: shows the frame once the page in it has reported, as high as it says. Only the frame
// that was given the secret is listened to. It may lead to other pages of its own site, where somebody has clicked into it.
export const hostCode = `
(function () {
  addEventListener('message', function (event) {
    var said = event.data;
    if (!said || typeof said.secret !== 'string' || !/^[A-Za-z0-9]{10}$/.test(said.secret)) return;
    var frames = document.querySelectorAll('iframe[data-secret="' + said.secret + '"]');
    for (var i = 0; i < frames.length; i++) {
      if (frames[i].contentWindow !== event.source) continue;
      if (said.message === 'link') {
        if (document.activeElement !== frames[i]) continue;
        var to = new URL(said.value);
        if (/^https?:$/.test(to.protocol) && to.origin === new URL(frames[i].src).origin) window.top.location.href = to.href;
        continue;
      }
      if (said.message === 'height') frames[i].height = Math.min(1000, Math.max(200, parseInt(said.value, 10) || 200));
      frames[i].style.cssText = '';
      var quotes = document.querySelectorAll('blockquote[data-secret="' + said.secret + '"]');
      for (var j = 0; j < quotes.length; j++) quotes[j].style.display = 'none';
    }
  });
})();
`;

export const hostScript = `<script>${hostCode}</script>`;
