export const pictures = {
  open: (name: string) => `Open image ${name}`,
  missing: (name: string) => `Couldn’t show ${name}`,
  viewer: 'Image',
  tools: 'Image actions',
  position: (index: number, count: number) => `${index} of ${count}`,
  shown: (name: string, index: number, count: number) => `${name}, image ${index} of ${count}`,
  previous: 'Previous image',
  next: 'Next image',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  download: 'Download',
  toMessage: 'Go to message',
}
