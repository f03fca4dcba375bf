import type { Administration } from '../../en/administration/index.ts'

export const tools: Administration['tools'] = {
  title: 'Tools',
  access: 'Tool-Zugriff',
  accesses: {
    nothing: 'Kein Zugriff',
    channels: 'Kanäle, die Tools zulassen',
    everything: 'Kanäle, die Tools zulassen, und Direktnachrichten der nutzenden Person',
  },
  more: (address) =>
    `Tools sind Assistenten und andere Programme, die das Model Context Protocol verwenden. Sie verbinden sich mit ${address} und haben die Berechtigungen des Kontos, dessen Schlüssel sie verwenden.`,
  channels: 'Kanäle, die Tools zulassen',
  changed: (channel) => `Tool-Zugriff von ${channel} geändert`,
  isPrivate: 'privat',
}
