import type { Administration } from '../../en/administration/index.ts'

export const tools: Administration['tools'] = {
  title: 'Werkzeuge',
  access: 'Was Werkzeuge sehen und benutzen dürfen',
  accesses: {
    nothing: 'nichts',
    channels: 'die Kanäle, die sie hereinlassen',
    everything: 'diese, und die Direktnachrichten der Person, die sie benutzt',
  },
  more: (address) =>
    `Werkzeuge sind Assistenten und andere Programme, die das Model Context Protocol sprechen. Sie finden es unter ${address} und haben die Rechte des Kontos, dessen Schlüssel du ihnen gibst.`,
  channels: 'Kanäle, die Werkzeuge hereinlassen',
  changed: (channel) => `Geändert, ob ${channel} Werkzeuge hereinlässt`,
  isPrivate: 'privat',
}
