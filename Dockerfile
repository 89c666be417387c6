FROM python:3.13-slim AS build
WORKDIR /src
COPY constraints.txt .
RUN pip install --no-cache-dir --constraint constraints.txt uv
COPY . .
RUN uv venv /opt/websearch \
 && uv pip install --python /opt/websearch/bin/python --no-cache --compile-bytecode \
      --constraints constraints.txt --build-constraints constraints.txt '.[server]' ./plugins/*

FROM python:3.13-slim
RUN useradd --system --home-dir /var/lib/websearch --create-home websearch
COPY --from=build /opt/websearch /opt/websearch
USER websearch
WORKDIR /var/lib/websearch
# The container's own loopback is reachable by nobody. Beyond loopback the server wants a token: see docs/operators.md.
ENV PATH=/opt/websearch/bin:$PATH \
    XDG_DATA_HOME=/var/lib \
    WEBSEARCH_SERVER__LISTEN=0.0.0.0:8089
VOLUME /var/lib/websearch
EXPOSE 8089
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8089/health', timeout=4)"]
ENTRYPOINT ["websearch"]
CMD ["serve"]
