import highlight from '@11ty/eleventy-plugin-syntaxhighlight';
import container from 'markdown-it-container';

/** `!!! warning Title` … `!!!` is a box. */
const box = {
  marker: '!',
  validate: (words) => /^(?:note|warning)\b/.test(words.trim()),
  render(tokens, index) {
    if (tokens[index].nesting === -1) return '</div>\n';
    const [, kind, title] = /^\s*(\w+)\s*(.*)$/.exec(tokens[index].info);
    return `<div class="callout callout-${kind}">\n<p class="callout-title">${title}</p>\n`;
  },
};

export default function (config) {
  config.addPlugin(highlight);
  config.amendLibrary('md', (library) => library.use(container, 'box', box));
  config.addPassthroughCopy('images');
  config.addFilter('year', (date) => String(date.getUTCFullYear()));
  config.addFilter('day', (date) => date.toISOString().slice(0, 10));
  config.addFilter('others', (posts, url) => posts.filter((post) => post.url !== url).slice(-3));
  config.addFilter('minutes', (html) => Math.max(1, Math.round(html.split(/\s+/).length / 200)));
  config.addCollection('blog', (api) => api.getAll().filter((item) => item.data.isPost).sort((a, b) => a.date - b.date));
  config.addCollection('topics', (api) => [...new Set(api.getAll().flatMap((item) => item.data.tags ?? []))].sort());
  config.addGlobalData('builtAt', () => new Date().toUTCString());
}
