import { placeOfState, STATE_ORDER, TO_COME } from "../states.ts";
import type { Series } from "../story/series.ts";

export type BarMarks = {
  /** From 0 to 1 along the campaign's life; null: at its end. */
  readonly at: number | null;
  readonly since: number | null;
};

export type BarColours = {
  /** In the order of STATE_ORDER. */
  readonly states: readonly string[];
  readonly mark: string;
  readonly since: string;
  readonly text: string;
  readonly font: string;
};

/** An instant, from 0 to 1 along the life: a round one, or an end. */
export type BarTick = { readonly along: number; readonly label: string };

/** The last painted chart: moving a mark over it does not paint it again. */
export type Painted = {
  readonly image: HTMLCanvasElement;
  series: Series | null;
  colours: BarColours | null;
};

type Shown = {
  readonly series: Series;
  readonly marks: BarMarks;
  /** None: the states have the whole height. */
  readonly ticks: readonly BarTick[];
};

const TICKS_HEIGHT = 18;
/** Between two labels of the ticks, in pixels. */
const LABEL_GAP = 8;

/**
 * What happened to the contacts over the life of the campaign, stacked on its own scale; whoever is still to
 * call is left blank. What lies after the moment that is looked at is pale.
 */
export function drawBar(
  canvas: HTMLCanvasElement,
  painted: Painted,
  { series, marks, ticks }: Shown,
  colours: BarColours,
): void {
  const context = canvas.getContext("2d");
  const { clientWidth: width, clientHeight } = canvas;
  if (context === null || width === 0) return;
  const height = clientHeight - (ticks.length === 0 ? 0 : TICKS_HEIGHT);
  const scale = window.devicePixelRatio;
  resize(canvas, width * scale, clientHeight * scale);
  paintStates(painted, series, colours, width * scale, height * scale);
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, clientHeight);
  const past = marks.at === null ? width : marks.at * width;
  const { image } = painted;
  context.globalAlpha = 0.3;
  if (past < width) context.drawImage(image, 0, 0, width, height);
  context.globalAlpha = 1;
  if (past < width) context.clearRect(0, 0, past, height);
  if (past > 0) context.drawImage(image, 0, 0, past * scale, height * scale, 0, 0, past, height);
  drawTicks(context, ticks, colours, width, height);
  if (marks.since !== null) line(context, marks.since * width, height, colours.since);
  line(context, past, height, colours.mark);
}

function resize(canvas: HTMLCanvasElement, width: number, height: number): void {
  if (canvas.width !== Math.round(width)) canvas.width = Math.round(width);
  if (canvas.height !== Math.round(height)) canvas.height = Math.round(height);
}

/** In pixels of the screen, so that they are copied as they are. */
function paintStates(
  painted: Painted,
  series: Series,
  colours: BarColours,
  width: number,
  height: number,
): void {
  const { image } = painted;
  const isThere =
    painted.series === series &&
    painted.colours === colours &&
    image.width === Math.round(width) &&
    image.height === Math.round(height);
  const context = image.getContext("2d");
  if (isThere || context === null) return;
  resize(image, width, height);
  context.clearRect(0, 0, width, height);
  drawStates(context, series, colours, width, height);
  painted.series = series;
  painted.colours = colours;
}

function drawStates(
  context: CanvasRenderingContext2D,
  { counts, most }: Series,
  { states }: BarColours,
  width: number,
  height: number,
): void {
  const slices = counts[0]?.length ?? 1;
  const below = new Float64Array(slices);
  STATE_ORDER.forEach((state, order) => {
    if (state === TO_COME) return;
    const column = counts[placeOfState(state)];
    context.fillStyle = states[order] ?? "gray";
    context.beginPath();
    context.moveTo(0, height);
    const top = (slice: number) => height - ((below[slice] ?? 0) / most) * height;
    for (let slice = 0; slice < slices; slice += 1)
      context.lineTo((slice / (slices - 1)) * width, top(slice));
    for (let slice = slices - 1; slice >= 0; slice -= 1) {
      below[slice] = (below[slice] ?? 0) + (column?.[slice] ?? 0);
      context.lineTo((slice / (slices - 1)) * width, top(slice));
    }
    context.fill();
  });
}

function drawTicks(
  context: CanvasRenderingContext2D,
  ticks: readonly BarTick[],
  { text, font }: BarColours,
  width: number,
  height: number,
): void {
  context.fillStyle = text;
  context.font = font;
  context.textAlign = "left";
  context.textBaseline = "bottom";
  const widthOf = ({ label }: BarTick) => context.measureText(label).width;
  const last = ticks.findLast(({ along }) => along === 1);
  const end = width - (last === undefined ? 0 : widthOf(last) + LABEL_GAP);
  let free = 0;
  for (const tick of ticks) {
    const x = Math.round(tick.along * width);
    context.fillRect(Math.min(x, width - 1), height, 1, 4);
    const room = widthOf(tick);
    const left = Math.min(width - room, Math.max(0, x - room / 2));
    // On a narrow screen some ticks have no label: two would run into each other, or into the ends.
    if (tick !== last && (left < free || left + room > end)) continue;
    context.fillText(tick.label, left, height + TICKS_HEIGHT);
    free = left + room + LABEL_GAP;
  }
}

function line(context: CanvasRenderingContext2D, at: number, height: number, colour: string): void {
  context.fillStyle = colour;
  context.fillRect(Math.max(0, at - 1), 0, 2, height);
}
