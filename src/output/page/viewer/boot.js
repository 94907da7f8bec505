// Starts the page: makes modules of the texts in it, in their order, and imports the last. Without a
// server there are no files to import from, so each gets an address of its own.
'use strict';
{
    const addresses = new Map();
    let last = '';
    for (const text of document.querySelectorAll('script[data-module]')) {
        const source = text.textContent.replace(/ from '(?:\.\/)?([\w.]+)';/g,
            (whole, name) => addresses.has(name) ? ` from '${addresses.get(name)}';` : whole);
        last = URL.createObjectURL(new Blob([source], {type: 'text/javascript'}));
        addresses.set(text.dataset.module, last);
        text.remove();
    }
    import(last).catch(error => {
        const note = document.getElementById('trouble');
        note.textContent = 'This page could not start: ' + error.message;
        note.hidden = false;
        throw error;
    });
}
