/** About assistants and other programs that speak the Model Context Protocol. */
export const tools = {
  title: 'Tools',
  access: 'What tools may see and use',
  accesses: {
    nothing: 'nothing',
    channels: 'the channels that let them in',
    everything: 'these, and the direct messages of the person who uses them',
  },
  more: (address: string) =>
    `Tools are assistants and other programs that speak the Model Context Protocol. They find it at ${address}, and have the rights of the account whose key they are given.`,
  channels: 'Channels that let tools in',
  changed: (channel: string) => `Changed whether ${channel} lets tools in`,
  isPrivate: 'private',
}
