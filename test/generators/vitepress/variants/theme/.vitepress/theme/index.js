import DefaultTheme from 'vitepress/theme';
import { h } from 'vue';

/** A notice above every page, a question and a box below it. */
export default {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, null, {
      'layout-top': () => h('div', { class: 'notice' }, 'Lantern Days are on 9 and 10 October in Bremen. Tickets are on sale.'),
      'doc-before': () => h('p', { class: 'reading' }, 'You read the manual of the stable version.'),
      'doc-footer-before': () =>
        h('div', { class: 'box' }, [
          h('p', 'Was this page of use to you?'),
          h('button', 'Yes'),
          h('button', 'No'),
        ]),
      'aside-outline-after': () => h('div', { class: 'sponsor' }, [h('p', 'Lantern is paid for by Harbour & Sons.')]),
    }),
};
