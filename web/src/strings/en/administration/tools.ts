/** Texts about assistants and other programs that use the Model Context Protocol. */
export const tools = {
  title: 'Tools',
  access: 'Tool access',
  accesses: {
    nothing: 'None',
    channels: 'Channels that allow tools',
    everything: 'Channels that allow tools, and the user’s direct messages',
  },
  more: (address: string) =>
    `Tools are assistants and other programs that use the Model Context Protocol. They connect to ${address} and have the permissions of the account whose key they use.`,
  channels: 'Channels that allow tools',
  changed: (channel: string) => `Tool access of ${channel} changed`,
  isPrivate: 'private',
}
