/* Process that decodes untrusted images: a harmful one ends only this process. In JavaScript, so Node 20 can run it. */
import sharp from 'sharp'

/** @import { DecoderJob, DecoderResults } from './decoder.ts' */

/** Allowed loaders. All other loaders, such as the SVG loader, stay disabled. */
const ALLOWED_LOADERS = ['Jpeg', 'Png', 'Nsgif', 'Webp', 'Heif'].map((name) => `VipsForeignLoad${name}`)

sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ALLOWED_LOADERS })
sharp.cache(false)
// One core per image, so that the server stays responsive.
sharp.concurrency(1)

/** @param {DecoderJob} order @returns {Promise<DecoderResults[DecoderJob['kind']]>} */
async function runJob(order) {
  if (order.kind === 'measure') {
    // Reads only the headers.
    const { autoOrient, pages = 1 } = await sharp(order.path, { limitInputPixels: false }).metadata()
    return { width: autoOrient.width, height: autoOrient.height, frames: pages }
  }
  const { path, isMoving, isWhole, maxPixels, format, ...box } = order
  const picture = sharp(path, {
    animated: isMoving,
    limitInputPixels: maxPixels,
    failOn: isWhole ? 'error' : 'none',
  })
  // Frames of an animation are already upright.
  const upright = isMoving ? picture : picture.autoOrient()
  const made = upright.resize({ ...box, background: { r: 0, g: 0, b: 0, alpha: 0 } })
  return made.toFormat(format.id, format.options).toBuffer()
}

/** Ticks are counted instead of elapsed time, so that waiting for the CPU on a busy machine hardly counts. */
const TICK_INTERVAL_MILLISECONDS = 100
const maxTicks = (Number(process.argv[2]) * 1000) / TICK_INTERVAL_MILLISECONDS

function startTimeLimit() {
  let ticks = 0
  return setInterval(() => {
    ticks += 1
    // `process.exit()` would wait for the thread that decodes.
    if (ticks > maxTicks) process.kill(process.pid, 'SIGKILL')
  }, TICK_INTERVAL_MILLISECONDS)
}

process.on('message', (/** @type {DecoderJob} */ order) => {
  const limit = startTimeLimit()
  /** @param {unknown} [answer] */
  const end = (answer) => {
    clearInterval(limit)
    process.send?.({ answer })
  }
  runJob(order).then(end, () => end())
})
// Ends a busy decoder, which would otherwise outlive the server.
process.on('disconnect', () => process.exit())
