import './style.css';

for (const tab of document.querySelectorAll('[role=tab]')) {
  tab.addEventListener('click', () => tab.setAttribute('aria-selected', 'true'));
}
