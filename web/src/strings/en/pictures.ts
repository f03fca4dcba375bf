export const pictures = {
  open: (name: string) => `Open the picture ${name}`,
  missing: (name: string) => `${name} cannot be shown`,
  viewer: 'Picture',
  tools: 'Actions for the picture',
  position: (index: number, count: number) => `${index} of ${count}`,
  shown: (name: string, index: number, count: number) => `${name}, picture ${index} of ${count}`,
  previous: 'Previous picture',
  next: 'Next picture',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  download: 'Download',
  toMessage: 'Go to the message',
}
