#include "reports/html/sections.hpp"

namespace attn::report {

std::string_view head_map_script() {
  return R"js(
(() => {
  const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  const placeOf = cell => cell.getAttribute('href').match(/\d+/g).slice(-2).map(Number);
  let opener = null;

  for (const map of document.querySelectorAll('svg.heat-map')) {
    const cells = [...map.querySelectorAll('a')];
    if (cells.length === 0) continue;
    const stopAt = stop => {
      for (const cell of cells) cell.setAttribute('tabindex', cell === stop ? 0 : -1);
    };
    const cellAt = (layer, head) => cells.find(cell => {
      const place = placeOf(cell);
      return place[0] === layer && place[1] === head;
    });
    stopAt(cells[0]);
    // Not one listener on the map: that would make the map itself a stop of the tab key.
    for (const cell of cells) cell.addEventListener('focus', () => stopAt(cell));
    map.addEventListener('click', event => { opener = event.target.closest('a') ?? opener; });
    map.addEventListener('keydown', event => {
      const [layer, head] = placeOf(event.target.closest('a'));
      const step = steps[event.key];
      const next = event.key === 'Home' ? cells[0] : event.key === 'End' ? cells.at(-1)
        : step && cellAt(layer + step[0], head + step[1]);
      if (step || next) event.preventDefault();
      if (next) next.focus();
    });
  }

  // Leaves the page where it is, with the cell that was opened in focus again.
  const close = event => {
    const detail = document.querySelector('.head-detail:target');
    if (!detail || !opener) return;
    event.preventDefault();
    const { scrollX, scrollY } = window;
    location.hash = detail.querySelector('.close a').hash;
    window.scrollTo({ left: scrollX, top: scrollY, behavior: 'instant' });
    opener.focus({ preventScroll: true });
  };
  for (const link of document.querySelectorAll('.head-detail .close a')) {
    link.addEventListener('click', close);
  }
  document.addEventListener('keydown', event => {
    if (event.key === 'Escape') close(event);
  });
})();
)js";
}

}  // namespace attn::report
