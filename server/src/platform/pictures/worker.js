/*
 * The process in which pictures are decoded. It is JavaScript, since Node runs it as it is. What people send is read
 * here alone: a picture that breaks the decoder, or takes too long, ends this process and no other, and the memory that
 * pictures take goes with it.
 */
import sharp from 'sharp'

/** What libraries are allowed to read; all others, such as the one for SVG, stay switched off. */
const LOADERS = ['Jpeg', 'Png', 'Nsgif', 'Webp', 'Heif'].map((name) => `VipsForeignLoad${name}`)

sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: LOADERS })
sharp.cache(false)
// One picture uses one core; the others go on answering.
sharp.concurrency(1)

/**
 * @param {import('./decoder.ts').Order} order
 * @returns {Promise<import('./decoder.ts').Answers[import('./decoder.ts').Order['kind']]>}
 */
async function carryOut(order) {
  if (order.kind === 'measure') {
    // Nothing is decoded for it.
    const { autoOrient, pages = 1 } = await sharp(order.path, { limitInputPixels: false }).metadata()
    return { width: autoOrient.width, height: autoOrient.height, frames: pages }
  }
  const { path, isMoving, isWhole, maxPixels, format, ...box } = order
  const picture = sharp(path, {
    animated: isMoving,
    limitInputPixels: maxPixels,
    failOn: isWhole ? 'error' : 'none',
  })
  // Frames of a moving picture stand the way they are.
  const upright = isMoving ? picture : picture.autoOrient()
  const made = upright.resize({ ...box, background: { r: 0, g: 0, b: 0, alpha: 0 } })
  return made.toFormat(format.id, format.options).toBuffer()
}

process.on('message', (/** @type {import('./decoder.ts').Order} */ order) => {
  carryOut(order).then(
    (answer) => process.send?.({ answer }),
    () => process.send?.({ answer: undefined }),
  )
})
// A decoder that is at work would outlive the server.
process.on('disconnect', () => process.exit())
