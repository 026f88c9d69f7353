# The server alone: dashboard, API and the page that volunteers open. It measures nothing itself, so it holds no browser.
FROM python:3.11-slim AS build
WORKDIR /source
COPY requirements.lock ./
RUN python -m venv /opt/dispatchmark \
 && /opt/dispatchmark/bin/pip install --no-cache-dir --require-hashes -r requirements.lock
COPY pyproject.toml README.md LICENSE ./
COPY server server
COPY web web
COPY wgsl wgsl
RUN /opt/dispatchmark/bin/pip install --no-cache-dir --no-deps --no-build-isolation .

FROM python:3.11-slim
COPY --from=build /opt/dispatchmark /opt/dispatchmark
# The store is a volume of the unprivileged user's; nothing else is written.
RUN useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin dispatchmark \
 && install -d -o dispatchmark -g dispatchmark /var/lib/dispatchmark
ENV PATH=/opt/dispatchmark/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    DISPATCHMARK_HOST=0.0.0.0 \
    DISPATCHMARK_PORT=8787 \
    DISPATCHMARK_DATABASE=/var/lib/dispatchmark/dispatchmark.db
USER dispatchmark
VOLUME /var/lib/dispatchmark
EXPOSE 8787
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
  CMD ["python", "-c", "import os, urllib.request; urllib.request.urlopen('http://127.0.0.1:%s/api/health' % os.environ['DISPATCHMARK_PORT'], timeout=4)"]
CMD ["dispatchmark", "serve"]
