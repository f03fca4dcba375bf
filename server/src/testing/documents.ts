import { zipArchive } from './zip-archive.ts'

/* Small documents of each kind that the search reads. */

const asXml = (root: string): string => `<?xml version="1.0" encoding="UTF-8"?>${root}`

export function wordDocument(text: string): Buffer {
  const [start, rest] = [text.slice(0, 3), text.slice(3)]
  // Editors split words into runs.
  const runs = `<w:r><w:t>${start}</w:t></w:r><w:r><w:t xml:space="preserve">${rest}</w:t></w:r>`
  const body = `<w:body><w:p><w:r><w:t>Title</w:t></w:r></w:p><w:p>${runs}</w:p></w:body>`
  return zipArchive([
    { path: '[Content_Types].xml', content: asXml('<Types/>') },
    { path: 'word/styles.xml', content: asXml('<w:styles><w:t>styles</w:t></w:styles>') },
    { path: 'word/document.xml', content: asXml(`<w:document xmlns:w="w">${body}</w:document>`) },
  ])
}

export function spreadsheet(text: string): Buffer {
  const strings = `<sst><si><t>Title</t></si><si><t>${text}</t></si></sst>`
  const cells =
    '<c r="A1" t="s"><v>1</v></c><c r="B1"><v>4711</v></c><c r="C1" t="inlineStr"><is><t>inline</t></is></c>'
  return zipArchive([
    { path: 'xl/worksheets/sheet1.xml', content: asXml(`<worksheet><row>${cells}</row></worksheet>`) },
    { path: 'xl/sharedStrings.xml', content: asXml(strings) },
  ])
}

export function presentation(text: string): Buffer {
  const slide = (words: string): string =>
    asXml(`<p:sld xmlns:a="a" xmlns:p="p"><a:p><a:r><a:t>${words}</a:t></a:r></a:p></p:sld>`)
  return zipArchive([
    { path: 'ppt/slides/slide1.xml', content: slide('Title') },
    { path: 'ppt/slides/slide2.xml', content: slide(text) },
  ])
}

export function openDocument(text: string): Buffer {
  const body = `<office:body><text:h>Title</text:h><text:p>${text}<text:s/><text:span>end</text:span></text:p></office:body>`
  return zipArchive([
    { path: 'mimetype', content: 'application/vnd.oasis.opendocument.text' },
    { path: 'content.xml', content: asXml(`<office:document-content>${body}</office:document-content>`) },
  ])
}

/** @param content content stream of the page; by default, it shows the text */
export function pdfDocument(text: string, content = Buffer.from(contentShowing(text)), filter = ''): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    Buffer.concat([
      Buffer.from(`<< /Length ${content.length} ${filter} >>\nstream\n`),
      content,
      Buffer.from('\nendstream'),
    ]),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ]
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')]
  const offsets: number[] = []
  for (const [index, object] of objects.entries()) {
    offsets.push(Buffer.concat(parts).length)
    parts.push(Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n'))
  }
  const start = Buffer.concat(parts).length
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`
  parts.push(Buffer.from(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}${trailer}`))
  return Buffer.concat(parts)
}

function contentShowing(text: string): string {
  return `BT /F1 12 Tf 20 200 Td (Title) Tj 0 -20 Td (${text}) Tj ET`
}
